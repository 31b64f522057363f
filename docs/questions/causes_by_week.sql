-- How many causes failed checks in each week, and how many of them for the first time.
WITH firsts AS (
  SELECT cause, min(week) AS first_week FROM failure_causes GROUP BY cause
)
SELECT c.week, count(DISTINCT c.cause) AS causes,
       count(DISTINCT CASE WHEN c.week = f.first_week THEN c.cause END) AS new_causes
FROM failure_causes c
JOIN firsts f ON f.cause = c.cause
GROUP BY c.week
ORDER BY c.week
