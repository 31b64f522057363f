-- Tokens read and written, day by day.
SELECT day, count(*) AS messages, sum(coalesce(input_tokens, 0)) AS input, sum(coalesce(output_tokens, 0)) AS output,
       sum(coalesce(cache_read_tokens, 0)) AS cache_read, sum(coalesce(cache_write_tokens, 0)) AS cache_write
FROM messages
GROUP BY day
ORDER BY day
