CREATE TABLE graph_entities (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    file_path TEXT,
    data TEXT NOT NULL
);

CREATE TABLE graph_edges (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    from_id INTEGER NOT NULL,
    to_id INTEGER NOT NULL,
    edge_type TEXT NOT NULL,
    data TEXT NOT NULL
);

CREATE TABLE graph_labels (
    entity_id INTEGER NOT NULL,
    label TEXT NOT NULL
);

CREATE TABLE graph_properties (
    entity_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL
);

CREATE TABLE graph_meta (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    schema_version INTEGER NOT NULL
);

CREATE TABLE graph_meta_history (
    version INTEGER NOT NULL,
    applied_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX idx_edges_from ON graph_edges(from_id);
CREATE INDEX idx_edges_to ON graph_edges(to_id);
CREATE INDEX idx_edges_type ON graph_edges(edge_type);
CREATE INDEX idx_labels_label ON graph_labels(label);
CREATE INDEX idx_labels_label_entity_id ON graph_labels(label, entity_id);
CREATE INDEX idx_props_key_value ON graph_properties(key, value);
CREATE INDEX idx_props_key_value_entity_id ON graph_properties(key, value, entity_id);
CREATE INDEX idx_entities_kind_id ON graph_entities(kind, id);
