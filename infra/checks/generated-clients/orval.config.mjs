/** The settings of orval: its client for `fetch`, as one file. */
export default {
  data: {
    input: "./data.json",
    output: { target: "./orval.ts", client: "fetch", baseUrl: process.env.SERVICE_URL },
  },
};
