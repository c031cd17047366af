/** An archive contains the packages that `scripts/inline-packages.mjs` copies, so it does not depend on them. */
export const hooks = {
  beforePacking: (manifest) => {
    for (const { "rowhouse-source": name } of Object.values(manifest.imports ?? {})) {
      delete manifest.dependencies[name];
    }
    return manifest;
  },
};
