// Prints what validators of OpenAPI find in the documents that the arguments name.
import { readFileSync } from "node:fs";
import SwaggerParser from "@apidevtools/swagger-parser";
import { validate } from "@readme/openapi-parser";

const faults = [];
for (const file of process.argv.slice(2)) {
  const read = () => JSON.parse(readFileSync(file, "utf8"));
  await SwaggerParser.validate(read()).catch((error) => faults.push(`${file}: ${error.message}`));
  const { valid, errors = [], warnings } = await validate(read());
  const found = [...errors, ...warnings].map(({ message }) => `${file}: ${message}`);
  faults.push(...found);
  if (!valid && found.length === 0) faults.push(`${file} is invalid`);
}
console.log(JSON.stringify(faults));
