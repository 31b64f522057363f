-- How much each tool printed.
SELECT tool, artifact_type, count(*) AS outputs, sum(length(content)) AS characters, max(length(content)) AS longest
FROM artifacts
GROUP BY tool, artifact_type
ORDER BY characters DESC, tool, artifact_type
