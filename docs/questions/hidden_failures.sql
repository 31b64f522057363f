-- Checks that failed though the agent was told that all was fine: behind a pipe, say.
SELECT coalesce(program, '') AS program, count(*) AS failures,
       sum(CASE WHEN told = 'ok' THEN 1 ELSE 0 END) AS told_as_fine
FROM executions
WHERE verdict = 'failed' AND corrected_by IS NULL
GROUP BY coalesce(program, '')
HAVING sum(CASE WHEN told = 'ok' THEN 1 ELSE 0 END) > 0
ORDER BY told_as_fine DESC, failures DESC, program
