// Builds the bundle that ships with the package. `--check` compares it with the one in the repository instead.
import { build } from "esbuild";
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { join, dirname } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "foretree", "debugger", "static");
const LIMIT = 500_000; // bytes, of all files together

const result = await build({
  entryPoints: { app: join(here, "src", "main.tsx") },
  bundle: true,
  format: "iife",
  target: "es2022",
  minify: !process.argv.includes("--readable"),
  legalComments: "inline",
  jsx: "automatic",
  jsxImportSource: "preact",
  outdir: target,
  write: false,
  logLevel: "warning",
});
const files = new Map(result.outputFiles.map((file) => [file.path.slice(target.length + 1), file.contents]));
files.set("app.css", await readFile(join(here, "src", "app.css")));
files.set("index.html", await readFile(join(here, "src", "index.html")));
files.set("licences.txt", Buffer.from(await licences()));

let total = 0;
const stale = [];
for (const [name, contents] of files) {
  total += contents.length;
  const path = join(target, name);
  if (process.argv.includes("--check")) {
    const kept = await readFile(path).catch(() => null);
    if (kept === null || Buffer.compare(kept, Buffer.from(contents)) !== 0) stale.push(name);
  } else {
    await mkdir(target, { recursive: true });
    await writeFile(path, contents);
  }
}
if (total > LIMIT) {
  console.error(`The bundle has ${total} bytes; at most ${LIMIT} are allowed.`);
  process.exit(1);
}
if (stale.length > 0) {
  console.error(`Not up to date: ${stale.join(", ")} in foretree/debugger/static. Run \`npm run build\` in web/.`);
  process.exit(1);
}
console.log(`${files.size} files, ${total} bytes.`);

/** The licences of the libraries in the bundle, which their copies have to bring along. */
async function licences() {
  const { dependencies } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
  const texts = [];
  for (const name of Object.keys(dependencies).sort()) {
    texts.push(`${name}\n\n${await readFile(join(here, "node_modules", name, "LICENSE"), "utf8")}`);
  }
  return texts.join("\n\n");
}
