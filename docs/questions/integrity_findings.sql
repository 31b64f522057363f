-- What does not fit, by machine and kind.
SELECT coalesce(machine, '') AS machine, kind, count(*) AS findings, count(DISTINCT journal) AS journals
FROM integrity_findings
GROUP BY coalesce(machine, ''), kind
ORDER BY findings DESC, machine, kind
