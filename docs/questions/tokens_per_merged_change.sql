-- Tokens written for each change that was committed or merged, week by week.
WITH changes AS (
  SELECT week, count(*) AS changes
  FROM executions
  WHERE success = 1 AND corrected_by IS NULL
    AND (command LIKE '%git commit%' OR command LIKE '%git merge%' OR command LIKE '%gh pr merge%')
  GROUP BY week
), written AS (
  SELECT week, sum(coalesce(output_tokens, 0)) AS output FROM messages GROUP BY week
)
SELECT w.week, coalesce(c.changes, 0) AS changes, w.output,
       CASE WHEN coalesce(c.changes, 0) > 0 THEN round(1e0 * w.output / c.changes, 0) END AS output_per_change
FROM written w
LEFT JOIN changes c ON c.week = w.week
ORDER BY w.week
