-- How many sessions, calls and failures each agent and model has.
SELECT coalesce(agent, '') AS agent, coalesce(model, '') AS model, count(*) AS sessions, sum(calls) AS calls, sum(failed) AS failed
FROM sessions
GROUP BY coalesce(agent, ''), coalesce(model, '')
ORDER BY calls DESC, agent, model
