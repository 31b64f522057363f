-- The files that checks found fault with most often.
SELECT file_name, count(*) AS diagnostics, count(DISTINCT execution) AS runs, count(DISTINCT session) AS sessions
FROM diagnostics
WHERE level = 'error' AND file_name IS NOT NULL
GROUP BY file_name
ORDER BY runs DESC, diagnostics DESC, file_name
LIMIT 20
