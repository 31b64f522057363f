-- How often tests ran, week by week and by program, and how many of them, of the runs that say so.
SELECT week, program, count(*) AS runs, count(tests_ran) AS runs_that_say, sum(tests_ran) AS tests, sum(tests_skipped) AS skipped
FROM executions
WHERE checked = 'test' AND program IS NOT NULL AND corrected_by IS NULL
GROUP BY week, program
ORDER BY week, program
