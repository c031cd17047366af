// The program of a worker thread: reads the texts of each message, and sends them back as they were read.
import { parentPort } from "node:worker_threads";
import { readYaml } from "./read-yaml.ts";
import type { YamlRequest } from "./worker-url.ts";

parentPort?.on("message", ({ texts, variables }: YamlRequest) => {
  parentPort?.postMessage(texts.map((text) => readYaml(text, variables)));
});
