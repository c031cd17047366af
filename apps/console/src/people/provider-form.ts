import type { Provider } from "./people-queries.ts";

/** What an administrator sets of a provider. */
export interface ProviderForm {
  readonly key: string;
  readonly kind: Provider["kind"];
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Empty: the stored secret stays. */
  readonly clientSecret: string;
  /** Domains, with commas or spaces between them. */
  readonly allowedDomains: string;
  readonly roleId: string;
}

/** The form of a new provider. */
export const blankProvider: ProviderForm = {
  key: "",
  kind: "oidc",
  name: "",
  issuer: "",
  clientId: "",
  clientSecret: "",
  allowedDomains: "",
  roleId: "",
};

/** The form of a provider. */
export function providerFormOf(provider: Provider): ProviderForm {
  const { key, kind, name, issuer, clientId, allowedDomains, roleId } = provider;
  return {
    ...{ key, kind, name, issuer, clientId },
    clientSecret: "",
    allowedDomains: allowedDomains.join(", "),
    roleId: roleId ?? "",
  };
}

/** The fields of a form as the service takes them. A field that is undefined or an empty secret is left out. */
export function providerChanges(form: Partial<ProviderForm>) {
  const { name, issuer, clientId, clientSecret, allowedDomains, roleId } = form;
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(issuer === undefined || issuer.trim() === "" ? {} : { issuer: issuer.trim() }),
    ...(clientId === undefined ? {} : { clientId: clientId.trim() }),
    ...(clientSecret === undefined || clientSecret === "" ? {} : { clientSecret }),
    ...(allowedDomains === undefined
      ? {}
      : { allowedDomains: allowedDomains.split(/[\s,]+/).filter((one) => one !== "") }),
    ...(roleId === undefined ? {} : { roleId: roleId === "" ? null : roleId }),
  };
}
