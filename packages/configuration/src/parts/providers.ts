import { isDeepStrictEqual } from "node:util";
import { createProvider, knownIssuers, providerRecords, updateProvider } from "@rowhouse/accounts";
import { authProviderKind } from "@rowhouse/db";
import type { Fault } from "@rowhouse/errors";
import { bindProviderSecret, loadProviderSecret, secretNameForm } from "@rowhouse/workflows";
import { z } from "zod";
import { throwAll } from "../documents/document-faults.ts";
import { documentsOf } from "../documents/record-documents.ts";
import type { Document } from "../model/document.ts";
import { type Part, type PartChange, type Step, stepOrder, type World } from "../model/part.ts";
import { meantIn, renamesIn, roleNames } from "./renames.ts";
import { roleIdOf } from "./role-id.ts";

const fields = documentsOf(authProviderKind);

const schema = z.strictObject({
  ...fields.shape,
  /**
   * The secret of providers that a new provider copies, and one whose issuer changes. Otherwise a provider keeps the one that
   * it has.
   */
  clientSecret: z
    .strictObject({
      secret: z.string().regex(secretNameForm, "Must be upper-case letters, digits and _"),
    })
    .nullable()
    .default(null),
});

type ProviderDocument = z.output<typeof schema>;

/** Providers for sign-in, without their secrets. */
export const providersPart: Part<ProviderDocument> = {
  name: "providers",
  schema: schema as z.ZodType<ProviderDocument>,
  namesOf: (path) =>
    /^providers\/([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)\.yaml$/.exec(path)?.slice(1),
  read: async ({ database, snapshot }) => {
    const { items } = await providerRecords.list(database, everyProvider);
    return new Map(
      items.map((provider) => {
        const document = fields.read(provider, (id) => snapshot.roles.get(id)?.name);
        const isKnown = provider.issuer === knownIssuers[provider.kind];
        const issuer = isKnown ? null : provider.issuer;
        return [`providers/${provider.key}.yaml`, { ...document, issuer, clientSecret: null }];
      }),
    );
  },
  write: fields.write,
  compare: async (change) => {
    const { present, wanted } = change;
    throwAll(await findFaults(change));
    const snapshot = await change.world.snapshots.fresh();
    const renames = renamesIn(change.documents, snapshot);
    const meant = meantIn(change.documents, snapshot);
    const secrets = await readSecretTimes(change.world);
    const steps = [...wanted].flatMap(([path, document]) => {
      const before = present.get(path);
      const role = renames.role(before?.role ?? "") ?? before?.role ?? null;
      const { role: wantedRole } = document.value;
      return providerSteps(document, before && { ...before, role }, {
        role: wantedRole === null ? null : meant.role(wantedRole),
        // Of one that is stored again, this is another one.
        secret: secrets.get(secretOf(document)) ?? null,
      });
    });
    const lost = [...present].filter(([path]) => !wanted.has(path));
    return [...steps, ...lost.map(dropStep)];
  },
};

const everyProvider = { search: null, cursor: null, limit: 1_000_000 };

/** Returns the name of the secret of providers that a provider copies. */
function secretOf({ names, value }: Document<ProviderDocument>): string {
  const [key = ""] = names;
  return value.clientSecret?.secret ?? `AUTH_${key.toUpperCase().replaceAll("-", "_")}_SECRET`;
}

async function findFaults(change: PartChange<ProviderDocument>): Promise<Fault[]> {
  const { world, present, wanted, documents } = change;
  const roles = roleNames(await world.snapshots.fresh(), documents);
  const faults: Fault[] = [];
  for (const document of wanted.values()) {
    const { kind, role } = document.value;
    const before = present.get(document.path);
    if (role !== null && !roles.has(role)) {
      faults.push(document.faultAt(["role"], `There is no role ${role}`));
    }
    if (issuerOf(document.value) === undefined) {
      faults.push(document.faultAt(["issuer"], `A provider of the kind ${kind} needs an issuer`));
    }
    if (before !== undefined && before.kind !== kind) {
      faults.push(document.faultAt(["kind"], `It is a provider of the kind ${before.kind}`));
    }
    if (needsSecret(document, before)) {
      const missing = await missingSecret(world, document, before);
      if (missing !== undefined) {
        faults.push(
          document.faultAt(before === undefined ? ["clientSecret", "secret"] : ["issuer"], missing),
        );
      }
    }
  }
  return faults;
}

function issuerOf({ kind, issuer }: Pick<ProviderDocument, "kind" | "issuer">): string | undefined {
  return issuer ?? knownIssuers[kind];
}

/** Whether a step takes the stored secret: the one that a provider has must not be sent to another issuer. */
function needsSecret(
  { value }: Document<ProviderDocument>,
  present: ProviderDocument | undefined,
): boolean {
  return present === undefined || issuerOf(value) !== issuerOf(present);
}

/** Returns what is missing before a provider can take its stored secret; undefined if nothing is. */
async function missingSecret(
  world: World,
  document: Document<ProviderDocument>,
  present: ProviderDocument | undefined,
): Promise<string | undefined> {
  const name = secretOf(document);
  const command = `rowhouse secret set ${name} --for providers`;
  const secret = await loadSecret(world, document);
  if (present !== undefined && secret?.isNew !== true) {
    return `With another issuer the client secret is needed again: ${command}`;
  }
  if (secret === undefined) {
    return `Store the secret ${name} of providers first; those of workflows are others: ${command}`;
  }
  if (secret.takenFor === null || secret.takenFor === issuerOf(document.value)) return undefined;
  return `The secret ${name} was stored for another issuer; store it again: ${command}`;
}

function loadSecret(
  { database, services }: World,
  document: Document<ProviderDocument>,
): ReturnType<typeof loadProviderSecret> {
  const [key = ""] = document.names;
  return loadProviderSecret(database, services.vault, secretOf(document), key);
}

/** Returns the secret for the issuer of a document, and binds it to this issuer. */
async function takeSecret(world: World, document: Document<ProviderDocument>): Promise<string> {
  const secret = await loadSecret(world, document);
  await bindProviderSecret(world.database, secretOf(document), issuerOf(document.value) ?? "");
  return secret?.value ?? "";
}

/** Returns when each secret of providers was stored. */
async function readSecretTimes({ database }: World): Promise<ReadonlyMap<string, string>> {
  const rows = await database.query<{ name: string; stored: string }>(
    "select name, updated_at::text as stored from system.provider_secrets",
  );
  return new Map(rows.map(({ name, stored }) => [name, stored]));
}

function providerSteps(
  document: Document<ProviderDocument>,
  present: ProviderDocument | undefined,
  meant: { readonly role: string | null; readonly secret: string | null },
): Step[] {
  const { path, names } = document;
  const [key = ""] = names;
  const { clientSecret: _, ...value } = document.value;
  const { clientSecret: __, ...before } = present ?? { clientSecret: null };
  if (isDeepStrictEqual(value, before)) return [];
  const takesSecret = needsSecret(document, present);
  const given = async ({ snapshots }: World) => {
    const snapshot = await snapshots.fresh();
    const issuer = issuerOf(value);
    return { ...fields.given(value, (role) => roleIdOf(snapshot, role)), issuer };
  };
  const common = {
    document: path,
    subject: key,
    order: stepOrder.providers,
    locate: (pointer: string) => [fields.nameOf(pointer.replace(/^\/data\//, ""))],
  };
  if (present === undefined) {
    return [
      {
        ...common,
        kind: "provider.create",
        detail: { ...value, secret: secretOf(document) },
        meant,
        run: async (world) => {
          const clientSecret = await takeSecret(world, document);
          const { database, services, actor } = world;
          const input = { key, ...(await given(world)), clientSecret };
          await createProvider({ database, vault: services.vault }, input, actor);
        },
      },
    ];
  }
  return [
    {
      ...common,
      kind: "provider.update",
      detail: takesSecret ? { ...value, secret: secretOf(document) } : value,
      values: {
        before,
        after: takesSecret ? { ...value, secret: secretOf(document) } : value,
      },
      meant: takesSecret ? meant : { role: meant.role },
      run: async (world) => {
        const { database, services, actor } = world;
        const { kind: _kind, ...changes } = await given(world);
        const secret = takesSecret ? { clientSecret: await takeSecret(world, document) } : {};
        const id = await idOf(world, key);
        const dependencies = { database, vault: services.vault };
        await updateProvider(dependencies, id, { ...changes, ...secret }, actor);
      },
    },
  ];
}

function dropStep([path, before]: [string, ProviderDocument]): Step {
  const [key = ""] = providersPart.namesOf(path) ?? [];
  return {
    kind: "provider.delete",
    document: path,
    subject: key,
    order: stepOrder.providers,
    detail: null,
    values: { before, after: null },
    consent: `drop:provider:${key}`,
    run: async (world) =>
      providerRecords.remove(world.database, await idOf(world, key), world.actor),
  };
}

async function idOf({ database }: World, key: string): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    "select id from system.auth_providers where key = $1::text",
    [key],
  );
  return row?.id ?? "";
}
