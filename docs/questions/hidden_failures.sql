-- Checks that failed though their exit code was 0 or nobody told one: behind a pipe, say.
SELECT coalesce(program, '') AS program, count(*) AS failures,
       sum(CASE WHEN outcome = 'ok' THEN 1 ELSE 0 END) AS told_as_fine
FROM executions
WHERE verdict = 'failed' AND corrected_by IS NULL
GROUP BY coalesce(program, '')
ORDER BY told_as_fine DESC, failures DESC, program
