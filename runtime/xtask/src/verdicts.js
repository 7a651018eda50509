// Prints the Khronos glTF validator's verdict of each file as one JSON object, by path.
// node verdicts.js FOLDER_WITH_NODE_MODULES FILE...
const fs = require("fs");
const path = require("path");

const [modules, ...files] = process.argv.slice(2);
const validator = require(path.resolve(modules, "node_modules", "gltf-validator"));

async function verdict(file) {
  const bytes = new Uint8Array(fs.readFileSync(file));
  const externalResourceFunction = async (uri) => {
    const found = path.resolve(path.dirname(file), decodeURIComponent(uri));
    return new Uint8Array(fs.readFileSync(found));
  };
  try {
    const { issues } = await validator.validateBytes(bytes, { uri: path.basename(file), externalResourceFunction, maxIssues: 100 });
    const codes = new Set(issues.messages.filter(({ severity }) => severity === 0).map(({ code }) => code));
    return { errors: issues.numErrors, warnings: issues.numWarnings, codes: [...codes].sort() };
  } catch (error) {
    // What it cannot even begin to read.
    return { errors: 1, warnings: 0, codes: [String(error.message ?? error).split("\n")[0]] };
  }
}

async function main() {
  const all = {};
  for (const file of files) all[file] = await verdict(file);
  console.log(JSON.stringify(all));
}

main();
