-- How many tests ran and were skipped, week by week, by program.
SELECT week, program, count(*) AS runs, sum(coalesce(tests_ran, 0)) AS tests, sum(coalesce(tests_skipped, 0)) AS skipped
FROM executions
WHERE checked = 'test' AND program IS NOT NULL AND corrected_by IS NULL
GROUP BY week, program
ORDER BY week, program
