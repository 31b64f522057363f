-- What executions touched in the code graph.
SELECT edge_type, to_kind, count(*) AS edges, count(DISTINCT execution) AS executions
FROM edges
GROUP BY edge_type, to_kind
ORDER BY edges DESC, edge_type, to_kind
