-- How many claims of success stood, week by week.
SELECT week, count(*) AS claims, sum(accepted) AS accepted
FROM gate_verdicts
WHERE kind = 'claim'
GROUP BY week
ORDER BY week
