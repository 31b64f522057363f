CREATE INDEX idx_branches_node ON branches(node_uid) WHERE node_uid IS NOT NULL;

CREATE INDEX idx_branches_parent ON branches(parent_id);

CREATE INDEX idx_events_branch ON events(branch_id, created_at, id);

CREATE INDEX idx_archival_branch ON archival(branch_id, created_at, id);

-- Records that hold more than ASCII: the full-text index folds those otherwise than we do, and they
-- are looked at one by one. In tags, which are JSON, it is escaped.
CREATE INDEX idx_archival_wide ON archival(branch_id, created_at, id)
    WHERE length(CAST(text AS BLOB)) <> length(text) OR instr(tags, '\u') > 0;

CREATE INDEX idx_inherited_exclusions_branch ON inherited_exclusions(branch_id);

CREATE INDEX idx_inherited_summaries_branch ON inherited_summaries(branch_id);
