import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";

const argumentMax = 4000;

interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Its only argument. */
  readonly argument: {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  };
  text(argument: string | undefined): string;
}

const prompts: readonly PromptDefinition[] = [
  {
    name: "answer_question",
    title: "Answer a question",
    description: "Answer a question from the rows, with the numbers proven",
    argument: { name: "question", description: "The question", required: true },
    text: (question) =>
      `Answer this question from the database: ${question ?? ""}\n\nFind the tables with search_resources, then use aggregate_rows for totals and read_rows for single rows. State which tables and filters the answer comes from. If the rows do not hold the answer, say so.`,
  },
  {
    name: "describe_data",
    title: "Describe the data",
    description: "Give an overview of the tables and how they relate",
    argument: { name: "schema", description: "One schema; all without it", required: false },
    text: (schema) =>
      `Describe the data that I may see${schema === undefined ? "" : ` in the schema ${schema}`}. List the tables with search_resources, read the details of the important ones, count their rows with aggregate_rows, and explain how they relate. Do not list every field.`,
  },
  {
    name: "explain_my_access",
    title: "Explain my access",
    description: "Explain what this token may do with a table",
    argument: { name: "table", description: "schema.name", required: true },
    text: (table) =>
      `Explain what I may do with ${table ?? ""}: call explain_access, then say in plain words which actions, rows and fields are permitted, and what stands against the others.`,
  },
];

/** The prompts; they are constant. */
export function listPrompts(): ListPromptsResult {
  return {
    prompts: prompts.map(({ name, title, description, argument }) => ({
      name,
      title,
      description,
      arguments: [argument],
    })),
  };
}

/** @throws ProtocolError for an unknown prompt and a missing, unknown or too long argument */
export function getPrompt(
  name: string,
  given: Readonly<Record<string, string>> = {},
): GetPromptResult {
  const prompt = prompts.find((each) => each.name === name);
  if (prompt === undefined) throw invalid(`Unknown prompt: ${name}`);
  const { argument } = prompt;
  const unknown = Object.keys(given).find((key) => key !== argument.name);
  if (unknown !== undefined) throw invalid(`Unknown argument: ${unknown}`);
  const value = Object.hasOwn(given, argument.name) ? given[argument.name] : undefined;
  if (value === undefined && argument.required) throw invalid(`${argument.name} is required`);
  if (value !== undefined && value.length > argumentMax) {
    throw invalid(`${argument.name} has at most ${argumentMax} characters`);
  }
  const text = prompt.text(value);
  return { messages: [{ role: "user", content: { type: "text", text } }] };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
