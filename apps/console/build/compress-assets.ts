import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const compressible = /\.(?:css|js|svg)$/;
const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
const compress = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: quality }),
  gz: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** Writes a gzip and a brotli variant beside each text file of a build, so that the server compresses nothing. */
export function compressAssets(): Plugin {
  return {
    name: "compress-assets",
    apply: "build",
    writeBundle: async ({ dir }) => {
      const folder = join(dir ?? "", "assets");
      const names = (await readdir(folder)).filter((one) => compressible.test(one));
      await Promise.all(names.map((name) => compressFile(join(folder, name))));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  for (const [suffix, variantOf] of Object.entries(compress)) {
    const variant = await variantOf(bytes);
    if (variant.length < bytes.length) await writeFile(`${path}.${suffix}`, variant);
  }
}
