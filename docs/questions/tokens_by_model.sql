-- Tokens by model, and how much of what was read came from a cache.
SELECT coalesce(model, '') AS model, count(*) AS messages, sum(coalesce(output_tokens, 0)) AS output,
       round(1e2 * sum(coalesce(cache_read_tokens, 0))
             / sum(coalesce(input_tokens, 0) + coalesce(cache_read_tokens, 0) + coalesce(cache_write_tokens, 0)), 1)
         AS cached_percent
FROM messages
GROUP BY coalesce(model, '')
HAVING sum(coalesce(input_tokens, 0) + coalesce(cache_read_tokens, 0) + coalesce(cache_write_tokens, 0)) > 0
ORDER BY output DESC, model
