-- How many runs of a check it took from a failure until it passed, within a session.
WITH runs AS (
  SELECT journal, session, program, sequence, verdict,
         sum(CASE WHEN verdict = 'passed' THEN 1 ELSE 0 END)
           OVER (PARTITION BY journal, session, program ORDER BY sequence
                 ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS passed_before
  FROM executions
  WHERE verdict IN ('passed', 'failed') AND program IS NOT NULL AND corrected_by IS NULL
), streaks AS (
  SELECT journal, session, program, passed_before,
         sum(CASE WHEN verdict = 'failed' THEN 1 ELSE 0 END) AS failures
  FROM runs
  GROUP BY journal, session, program, passed_before
), ends AS (
  SELECT journal, session, program, max(passed_before) AS last_passed
  FROM runs
  GROUP BY journal, session, program
)
SELECT s.program, s.failures + 1 AS attempts, count(*) AS times
FROM streaks s
JOIN ends e ON e.journal = s.journal AND e.session = s.session AND e.program = s.program
WHERE s.failures > 0 AND s.passed_before < e.last_passed
GROUP BY s.program, s.failures
ORDER BY s.program, attempts
