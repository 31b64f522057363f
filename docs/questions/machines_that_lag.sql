-- How many days each machine is behind the newest one, and the last event of its sessions.
WITH ends AS (
  SELECT coalesce(machine, '') AS machine, count(DISTINCT journal) AS journals, max(last_sequence) AS last_sequence,
         max(last_ms) AS last_ms
  FROM sessions
  GROUP BY coalesce(machine, '')
), newest AS (
  SELECT max(last_ms) AS last_ms FROM sessions
)
SELECT e.machine, e.journals, e.last_sequence,
       CAST((n.last_ms - e.last_ms - (n.last_ms - e.last_ms) % 86400000) / 86400000 AS INTEGER) AS days_behind
FROM ends e
CROSS JOIN newest n
ORDER BY days_behind DESC, e.machine
