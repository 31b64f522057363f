-- Commands that failed and then passed in the same session with no call between that changes a file.
WITH calls AS (
  SELECT journal, session, sequence, command, verdict,
         sum(CASE WHEN tool IN ('file_edit', 'file_write', 'file_create', 'splice_patch') THEN 1 ELSE 0 END)
           OVER (PARTITION BY journal, session ORDER BY sequence
                 ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS edits
  FROM executions
  WHERE corrected_by IS NULL
), runs AS (
  SELECT journal, session, command, verdict, edits,
         lag(verdict) OVER (PARTITION BY journal, session, command ORDER BY sequence) AS before_verdict,
         lag(edits) OVER (PARTITION BY journal, session, command ORDER BY sequence) AS before_edits
  FROM calls
  WHERE verdict IN ('passed', 'failed') AND command IS NOT NULL
)
SELECT substr(command, 1, 80) AS command, count(*) AS times
FROM runs
WHERE verdict = 'passed' AND before_verdict = 'failed' AND edits = before_edits
GROUP BY substr(command, 1, 80)
ORDER BY times DESC, command
LIMIT 20
