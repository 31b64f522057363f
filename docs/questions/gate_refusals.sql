-- What the gate refused, by rule and week, and what ran all the same.
SELECT week, kind, coalesce(rule, '') AS rule, coalesce(mode, '') AS mode, count(*) AS times
FROM gate_verdicts
WHERE kind IN ('refused', 'bypassed')
GROUP BY week, kind, coalesce(rule, ''), coalesce(mode, '')
ORDER BY week, kind, rule, mode
