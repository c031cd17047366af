import { type Client, RowhouseError } from "@rowhouse/client";
import { documentPathOf, pathStem } from "@rowhouse/wire";
import { CommandError } from "../../base/command-error.ts";
import { type ConfigurationOptions, planOptions } from "../arguments.ts";
import type { Files } from "../folder.ts";
import { makePlanOf } from "../plan/ask-service.ts";
import type { Plan } from "../plan/exit-code.ts";
import { printFault } from "../print.ts";
import {
  hasOtherTexts,
  isTouched,
  type MergedDocument,
  type PulledDocument,
} from "./pulled-documents.ts";

/** Compares the files of a folder with the service, by a plan of what they would change. */
export class FolderComparison {
  readonly #client: Client;
  readonly #options: ConfigurationOptions;
  readonly #documents: readonly PulledDocument[];
  /** The root file and the variables. */
  readonly #others: Files;

  constructor(
    client: Client,
    options: ConfigurationOptions,
    documents: readonly PulledDocument[],
    others: Files,
  ) {
    this.#client = client;
    this.#options = options;
    this.#documents = documents;
    this.#others = others;
  }

  /**
   * Returns the stems of the documents whose files mean something else than the service has.
   *
   * @throws CommandError with the faults of the files, if the service refuses them; a document with a fault counts as one that
   * differs if nobody has touched its files since the last pull, and with `--force`
   */
  async different(): Promise<ReadonlySet<string>> {
    const refused = new Set(this.#documents.filter(hasOtherTexts).map(({ stem }) => stem));
    for (;;) {
      try {
        const { steps } = await this.#plan((document) =>
          refused.has(document.stem) ? new Map() : ownTexts(document),
        );
        return new Set([...refused, ...stemsOf(steps)]);
      } catch (error) {
        const faulty = faultyStems(error, this.#documents).filter((stem) => !refused.has(stem));
        const replaced = this.#options.force ? faulty : this.#untouchedOf(faulty);
        if (replaced.length === 0) throw refusal(error);
        for (const stem of replaced) refused.add(stem);
      }
    }
  }

  #untouchedOf(stems: readonly string[]): string[] {
    return this.#documents
      .filter((document) => stems.includes(document.stem) && !isTouched(document))
      .map(({ stem }) => stem);
  }

  /** Returns the stems of the documents that mean what the service has, with these texts. */
  async same(merged: ReadonlyMap<string, MergedDocument>): Promise<ReadonlySet<string>> {
    try {
      const { steps } = await this.#plan(({ stem }) => merged.get(stem)?.texts ?? new Map());
      const different = stemsOf(steps);
      return new Set([...merged.keys()].filter((stem) => !different.has(stem)));
    } catch (error) {
      if (faultyStems(error, this.#documents).length === 0) throw error;
      return new Set();
    }
  }

  /** Plans with texts by the paths of documents; where there is none, the service's own text stands. */
  async #plan(textsOf: (document: PulledDocument) => ReadonlyMap<string, string>): Promise<Plan> {
    const files = new Map(Object.entries(this.#others));
    for (const document of this.#documents) {
      const texts = textsOf(document);
      for (const [path, { file, text }] of document.service) {
        files.set(document.own.get(path)?.file ?? file, bare(texts.get(path) ?? text));
      }
    }
    const data = { files: Object.fromEntries(files), options: planOptions(this.#options) };
    return makePlanOf(this.#client, data, this.#options.patienceMs);
  }
}

function ownTexts({ own }: PulledDocument): ReadonlyMap<string, string> {
  return new Map([...own].map(([path, { text }]) => [path, text]));
}

function bare(text: string): string {
  return text.replace(/^\ufeff/, "");
}

function stemOf(file: string): string {
  return pathStem(documentPathOf(file));
}

function stemsOf(steps: Plan["steps"]): ReadonlySet<string> {
  return new Set(steps.map(({ document }) => stemOf(document)));
}

/** Returns the documents of the faults; none if a fault is of something else. */
function faultyStems(error: unknown, documents: readonly PulledDocument[]): string[] {
  if (!(error instanceof RowhouseError) || error.status >= 500) return [];
  const known = new Set(documents.map(({ stem }) => stem));
  const stems = error.faults.map(({ details }) => stemOf(String(details?.file ?? "")));
  return stems.every((stem) => known.has(stem)) ? stems : [];
}

function refusal(error: unknown): unknown {
  const isOfFiles =
    error instanceof RowhouseError && error.faults.some(({ details }) => details?.file);
  if (!isOfFiles) return error;
  return new CommandError(
    [
      ...error.faults.map(printFault),
      "Nothing was written: these files cannot be compared with the service. Correct them, name the environment or the variables that they use, or replace them with --force.",
    ].join("\nrowhouse: "),
  );
}
