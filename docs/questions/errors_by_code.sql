-- The codes of diagnostics, by how many runs showed each.
SELECT coalesce(code, '') AS code, level, count(*) AS diagnostics, count(DISTINCT execution) AS runs
FROM diagnostics
GROUP BY coalesce(code, ''), level
ORDER BY runs DESC, diagnostics DESC, code, level
LIMIT 30
