import { parseArgs } from "node:util";
import { StartError } from "@rowhouse/errors";
import { runProcess } from "@rowhouse/http";
import { readConfig } from "./config.ts";
import { startStandalone } from "./start.ts";

await runProcess(async () => {
  const { sample } = readArguments();
  const standalone = await startStandalone(readConfig(), { sample });
  process.stdout.write(standalone.greeting);
  return standalone;
});

function readArguments(): { readonly sample: boolean } {
  try {
    const { values } = parseArgs({ options: { sample: { type: "boolean", default: false } } });
    return values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${reason}; the one option is --sample.`);
  }
}
