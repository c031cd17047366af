/** The settings of @hey-api/openapi-ts: imports as Node.js resolves them. */
export default {
  input: "./data.json",
  output: { path: "./hey-api", importFileExtension: ".js" },
};
