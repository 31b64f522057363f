-- Secrets that today's rules find in what is on record, by rule: what is still to be redacted.
SELECT rule, count(*) AS records, sum(found) AS found, count(DISTINCT journal) AS journals, min(day) AS first_day
FROM leaks
GROUP BY rule
ORDER BY records DESC, rule
