-- The sessions with the most calls.
SELECT journal, session, day, coalesce(agent, '') AS agent, prompts, calls, failed, last_ms - began_ms AS lasted_ms
FROM sessions
ORDER BY calls DESC, session, journal
LIMIT 20
