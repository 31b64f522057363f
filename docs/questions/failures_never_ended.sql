-- Checks whose last run in a session failed.
WITH runs AS (
  SELECT journal, session, program, verdict,
         row_number() OVER (PARTITION BY journal, session, program ORDER BY sequence DESC) AS back
  FROM executions
  WHERE verdict IN ('passed', 'failed') AND program IS NOT NULL AND corrected_by IS NULL
)
SELECT program, count(*) AS sessions, sum(CASE WHEN verdict = 'failed' THEN 1 ELSE 0 END) AS ended_failed
FROM runs
WHERE back = 1
GROUP BY program
ORDER BY ended_failed DESC, sessions DESC, program
