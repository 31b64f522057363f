-- Machines whose journals do not have an end that was seen of them, or went on since it was seen, or that nobody saw.
SELECT coalesce(machine, '') AS machine, count(DISTINCT journal) AS journals,
       sum(CASE WHEN agrees = 0 THEN 1 ELSE 0 END) AS differ,
       sum(CASE WHEN folder IS NULL THEN 1 ELSE 0 END) AS never_seen,
       max(coalesce(behind, 0)) AS most_behind
FROM seen_ends
GROUP BY coalesce(machine, '')
ORDER BY differ DESC, most_behind DESC, machine
