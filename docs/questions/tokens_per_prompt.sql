-- What a prompt took: messages and tokens written, by agent.
WITH asked AS (
  SELECT journal, session, count(*) AS prompts FROM prompts GROUP BY journal, session
), written AS (
  SELECT journal, session, count(*) AS messages, sum(coalesce(output_tokens, 0)) AS output
  FROM messages GROUP BY journal, session
)
SELECT coalesce(s.agent, '') AS agent, sum(a.prompts) AS prompts, sum(coalesce(w.messages, 0)) AS messages, sum(coalesce(w.output, 0)) AS output,
       round(1e0 * sum(coalesce(w.output, 0)) / sum(a.prompts), 1) AS output_per_prompt
FROM sessions s
JOIN asked a ON a.journal = s.journal AND a.session = s.session
LEFT JOIN written w ON w.journal = s.journal AND w.session = s.session
GROUP BY coalesce(s.agent, '')
ORDER BY agent
