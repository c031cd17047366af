import { StartError } from "@rowhouse/errors";
import { storagePlace } from "@rowhouse/files";
import { readArguments, runProcess } from "@rowhouse/service";
import { backUpDirectory } from "./back-up.ts";
import { readConfig } from "./config.ts";
import { resetStandaloneAdmin } from "./reset-admin.ts";
import { startStandalone } from "./start.ts";

await runProcess(async () => {
  const { flags, values, resetAdmin } = readArguments({
    flags: ["sample"],
    values: { backup: "folder" },
  });
  const config = readConfig();
  if (resetAdmin !== undefined) {
    process.stdout.write(await resetStandaloneAdmin(config, resetAdmin));
    return undefined;
  }
  if (values.backup !== undefined) {
    if (config.DATABASE_URL !== undefined) {
      throw new StartError(
        "--backup copies the embedded database; for the database of DATABASE_URL use pg_dump (docs/operations/backup.md).",
      );
    }
    const files = storagePlace(config);
    const folder = files.kind === "DIRECTORY" ? files.path : undefined;
    await backUpDirectory(config.ROWHOUSE_DATA_DIR, values.backup, folder);
    const bucket = files.kind === "S3" ? ` It has no files: they are in ${files.bucket}.` : "";
    process.stdout.write(`Copied ${config.ROWHOUSE_DATA_DIR} to ${values.backup}.${bucket}\n`);
    return undefined;
  }
  const standalone = await startStandalone(config, flags);
  process.stdout.write(standalone.greeting);
  return standalone;
});
