-- What checks ran, and how they ended.
SELECT coalesce(program, '') AS program, verdict, count(*) AS runs
FROM executions
WHERE verdict IS NOT NULL AND corrected_by IS NULL
GROUP BY coalesce(program, ''), verdict
ORDER BY runs DESC, program, verdict
