import compile from "icu-minify/compile";
import { type Plugin, runnerImport } from "vite";

type Words = { readonly [key: string]: string | Words };

/** The files that `src/words/languages.ts` loads. */
const part = /\/src\/words\/(?:en|de)\/(?:start|(?:workspace|administration)\/index)\.ts$/;

/**
 * Compiles the texts, so that no page loads the parser of the message format. The build stops at a text that is not valid.
 *
 * @param sources receives the paths of the files that it reads
 */
export function compiledWords(sources: Set<string>): Plugin {
  return {
    name: "compiled-words",
    apply: "build",
    enforce: "pre",
    config: () => ({
      resolve: { alias: { "use-intl/format-message": "use-intl/format-message/format-only" } },
    }),
    load: {
      filter: { id: part },
      async handler(id) {
        const { module, dependencies } = await runnerImport<Words>(id);
        for (const file of dependencies) sources.add(file);
        return Object.entries(module)
          .map(
            ([name, words]) => `export const ${name} = ${JSON.stringify(compiled(words, name))};`,
          )
          .join("\n");
      },
    },
  };
}

function compiled(words: string | Words, path: string): unknown {
  if (typeof words !== "string") {
    return Object.fromEntries(
      Object.entries(words).map(([key, one]) => [key, compiled(one, `${path}.${key}`)]),
    );
  }
  try {
    return compile(words);
  } catch (error) {
    throw new Error(`The text ${path} is not valid: ${words}`, { cause: error });
  }
}
