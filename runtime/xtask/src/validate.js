// Runs the Khronos glTF validator over every GLB of a folder; an error or a warning fails.
// node validate.js FOLDER_WITH_NODE_MODULES FOLDER_OF_MODELS
const fs = require("fs");
const path = require("path");

const [modules, models] = process.argv.slice(2).map((folder) => path.resolve(folder));
const validator = require(path.join(modules, "node_modules", "gltf-validator"));

async function main() {
  const files = fs.readdirSync(models).filter((name) => name.endsWith(".glb")).sort();
  for (const name of files) {
    const bytes = new Uint8Array(fs.readFileSync(path.join(models, name)));
    const { issues } = await validator.validateBytes(bytes, { uri: name });
    console.log(`${name}: ${issues.numErrors} errors, ${issues.numWarnings} warnings, ${issues.numInfos} notes`);
    for (const { severity, pointer, code, message } of issues.messages) {
      if (severity <= 1) console.log(`  ${pointer}: ${code}: ${message}`);
    }
    if (issues.numErrors + issues.numWarnings > 0) process.exitCode = 1;
  }
  if (files.length === 0) throw new Error(`no GLB in ${models}`);
}

main().catch((error) => {
  console.error(error.message ?? error);
  process.exitCode = 1;
});
