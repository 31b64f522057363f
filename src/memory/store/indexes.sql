CREATE INDEX idx_branches_node ON branches(node_uid) WHERE node_uid IS NOT NULL;

CREATE INDEX idx_branches_parent ON branches(parent_id);

CREATE INDEX idx_events_branch ON events(branch_id, created_at, id);

-- Whether a branch has an event already: by how its text begins and ends, so that a write costs the
-- same however many there are.
CREATE INDEX idx_events_same ON events(branch_id, kind, length(text), substr(text, 1, 32), substr(text, -32));

CREATE INDEX idx_archival_branch ON archival(branch_id, created_at, id);

-- Records that hold more than ASCII, or whose tags JSON writes with escapes: the full-text index reads
-- those otherwise than we do, and they are looked at one by one.
CREATE INDEX idx_archival_wide ON archival(branch_id, created_at, id)
    WHERE length(CAST(text AS BLOB)) <> length(text) OR instr(tags, '\') > 0;

-- How much a branch has archived, and whether it has a text already: as for events.
CREATE INDEX idx_archival_same ON archival(branch_id, length(text), substr(text, 1, 32), substr(text, -32));

CREATE INDEX idx_inherited_exclusions_branch ON inherited_exclusions(branch_id);

CREATE INDEX idx_inherited_summaries_branch ON inherited_summaries(branch_id);
