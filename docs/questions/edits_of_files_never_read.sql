-- Edits of a file that its session had not read before.
WITH reads AS (
  SELECT journal, session, target, min(sequence) AS first_read
  FROM executions
  WHERE tool = 'file_read' AND success = 1 AND target IS NOT NULL
  GROUP BY journal, session, target
)
SELECT coalesce(e.agent, '') AS agent, count(*) AS edits,
       sum(CASE WHEN r.first_read IS NULL OR r.first_read > e.sequence THEN 1 ELSE 0 END) AS unread
FROM executions e
LEFT JOIN reads r ON r.journal = e.journal AND r.session = e.session AND r.target = e.target
WHERE e.tool = 'file_edit' AND e.success = 1 AND e.corrected_by IS NULL
GROUP BY coalesce(e.agent, '')
ORDER BY agent
