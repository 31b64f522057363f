-- What was done to branch memory.
SELECT kind, count(*) AS operations, count(DISTINCT branch) AS branches
FROM memory_operations
GROUP BY kind
ORDER BY operations DESC, kind
