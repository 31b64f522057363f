-- In how many sessions the first check of each kind passed.
WITH firsts AS (
  SELECT checked, verdict,
         row_number() OVER (PARTITION BY journal, session, checked ORDER BY sequence) AS number
  FROM executions
  WHERE verdict IN ('passed', 'failed') AND corrected_by IS NULL
)
SELECT checked, count(*) AS sessions, sum(CASE WHEN verdict = 'passed' THEN 1 ELSE 0 END) AS passed_at_once
FROM firsts
WHERE number = 1
GROUP BY checked
ORDER BY checked
