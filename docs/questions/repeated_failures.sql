-- Commands that failed twice or more in a row in a session.
WITH runs AS (
  SELECT journal, session, command, success,
         lag(success) OVER (PARTITION BY journal, session, command ORDER BY sequence) AS before_success
  FROM executions
  WHERE command IS NOT NULL AND success IS NOT NULL AND corrected_by IS NULL
)
SELECT substr(command, 1, 80) AS command, count(*) AS again
FROM runs
WHERE success = 0 AND before_success = 0
GROUP BY substr(command, 1, 80)
ORDER BY again DESC, command
LIMIT 20
