// Jolt, compiled to WebAssembly by its author: the figure as bodies and constraints with position motors, on one thread.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// Packages stand where run.sh installed them, not beside this file.
const require = createRequire(pathToFileURL(`${process.env.PEERS_DIR ?? "."}/js/`));
const version = JSON.parse(readFileSync(require.resolve("jolt-physics/package.json"))).version;
const { default: init } = await import(pathToFileURL(require.resolve("jolt-physics/wasm-compat")));
const Jolt = await init();

const figure = JSON.parse(readFileSync(new URL("figure.json", import.meta.url)));
// As in src/walk.rs.
const BOW_STEPS = 120, BOWS = 8;
// The motors' springs: as stiff as Jolt's own powered rigs have them, and critically damped.
const MOTOR_HZ = 30;
const GROUND = 0, FIGURES = 1;

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const vector = ([x, y, z]) => new Jolt.Vec3(x, y, z);
const point = ([x, y, z]) => new Jolt.RVec3(x, y, z);
const middle = body => body.from.map((x, axis) => (x + body.to[axis]) / 2);
const plus = (a, b) => a.map((x, axis) => x + b[axis]);

function place(index, count) {
  const side = Math.ceil(Math.sqrt(count));
  return [(index % side) * figure.spacing, 0, Math.floor(index / side) * figure.spacing];
}

function bow(seconds) {
  return figure.bow.angle * Math.sin(2 * Math.PI * figure.bow.hz * seconds);
}

function setMotor(motor, torque) {
  motor.mSpringSettings.mFrequency = MOTOR_HZ;
  motor.mSpringSettings.mDamping = 1;
  motor.mMinTorqueLimit = -torque;
  motor.mMaxTorqueLimit = torque;
}

function emptyWorld({ velocity, position }) {
  const settings = new Jolt.JoltSettings();
  settings.mMaxWorkerThreads = 0;
  // Figures meet the ground, and nothing else.
  const pairs = new Jolt.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(GROUND, FIGURES);
  const phases = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
  for (const layer of [GROUND, FIGURES]) phases.MapObjectToBroadPhaseLayer(layer, new Jolt.BroadPhaseLayer(layer));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = phases;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(phases, 2, pairs, 2);
  const jolt = new Jolt.JoltInterface(settings);
  const system = jolt.GetPhysicsSystem();
  const physics = system.GetPhysicsSettings();
  physics.mNumVelocitySteps = velocity;
  physics.mNumPositionSteps = position;
  system.SetPhysicsSettings(physics);
  return { jolt, system, bodies: system.GetBodyInterface() };
}

function addGround({ bodies }) {
  const box = new Jolt.BoxShape(new Jolt.Vec3(200, 0.5, 200), 0.05);
  const at = new Jolt.BodyCreationSettings(box, point([0, -0.5, 0]), new Jolt.Quat(0, 0, 0, 1), Jolt.EMotionType_Static, GROUND);
  const ground = bodies.CreateBody(at);
  ground.SetFriction(figure.friction);
  bodies.AddBody(ground.GetID(), Jolt.EActivation_DontActivate);
  return ground;
}

function addBody({ bodies }, told, at) {
  const isUpright = Math.abs(told.to[1] - told.from[1]) > Math.abs(told.to[0] - told.from[0]);
  const half = Math.hypot(...told.to.map((x, axis) => x - told.from[axis])) / 2;
  // A capsule stands along Y.
  const lying = () => new Jolt.RotatedTranslatedShapeSettings(
    new Jolt.Vec3(0, 0, 0), new Jolt.Quat(0, 0, Math.SQRT1_2, Math.SQRT1_2), new Jolt.CapsuleShapeSettings(half, told.radius),
  ).Create().Get();
  const shape = isUpright ? new Jolt.CapsuleShape(half, told.radius) : lying();
  const where = point(plus(middle(told), at));
  const settings = new Jolt.BodyCreationSettings(shape, where, new Jolt.Quat(0, 0, 0, 1), Jolt.EMotionType_Dynamic, FIGURES);
  settings.mAllowSleeping = false;
  settings.mFriction = figure.friction;
  settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
  settings.mMassPropertiesOverride.mMass = told.mass;
  const body = bodies.CreateBody(settings);
  bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
  return body;
}

function addHinge({ system }, joint, parent, child, at) {
  const settings = new Jolt.HingeConstraintSettings();
  settings.mSpace = Jolt.EConstraintSpace_WorldSpace;
  settings.mPoint1 = settings.mPoint2 = point(at);
  settings.mHingeAxis1 = settings.mHingeAxis2 = vector(joint.hinge);
  settings.mNormalAxis1 = settings.mNormalAxis2 = vector(joint.hinge[0] ? [0, 1, 0] : [1, 0, 0]);
  settings.mLimitsMin = joint.low;
  settings.mLimitsMax = joint.high;
  setMotor(settings.mMotorSettings, joint.torque);
  const made = Jolt.castObject(settings.Create(parent, child), Jolt.HingeConstraint);
  made.SetMotorState(Jolt.EMotorState_Position);
  made.SetTargetAngle(0);
  system.AddConstraint(made);
  return made;
}

function addBall({ system }, joint, parent, child, at) {
  const settings = new Jolt.SwingTwistConstraintSettings();
  settings.mSpace = Jolt.EConstraintSpace_WorldSpace;
  settings.mPosition1 = settings.mPosition2 = point(at);
  settings.mTwistAxis1 = settings.mTwistAxis2 = vector([0, 1, 0]);
  settings.mPlaneAxis1 = settings.mPlaneAxis2 = vector([1, 0, 0]);
  settings.mNormalHalfConeAngle = settings.mPlaneHalfConeAngle = joint.high;
  settings.mTwistMinAngle = joint.low;
  settings.mTwistMaxAngle = joint.high;
  setMotor(settings.mSwingMotorSettings, joint.torque);
  setMotor(settings.mTwistMotorSettings, joint.torque);
  const made = Jolt.castObject(settings.Create(parent, child), Jolt.SwingTwistConstraint);
  made.SetSwingMotorState(Jolt.EMotorState_Position);
  made.SetTwistMotorState(Jolt.EMotorState_Position);
  system.AddConstraint(made);
  return made;
}

/** Keeps the pelvis level and leaves it its place and its turn about Y. */
function addKeeper({ system }, ground, pelvis, at) {
  const settings = new Jolt.SixDOFConstraintSettings();
  for (let axis = 0; axis < 6; axis++) settings.MakeFreeAxis(axis);
  settings.mSpace = Jolt.EConstraintSpace_WorldSpace;
  settings.mPosition1 = settings.mPosition2 = point(at);
  const level = [Jolt.SixDOFConstraintSettings_EAxis_RotationX, Jolt.SixDOFConstraintSettings_EAxis_RotationZ];
  for (const axis of level) setMotor(settings.get_mMotorSettings(axis), figure.upright_torque);
  const made = Jolt.castObject(settings.Create(ground, pelvis), Jolt.SixDOFConstraint);
  for (const axis of level) made.SetMotorState(axis, Jolt.EMotorState_Position);
  system.AddConstraint(made);
}

function makeWorld(count, setting) {
  const world = emptyWorld(setting);
  const ground = addGround(world);
  const figures = Array.from({ length: count }, (_, index) => {
    const at = place(index, count);
    const bodies = figure.bodies.map(told => addBody(world, told, at));
    const joints = figure.joints.map(joint => {
      const add = joint.hinge ? addHinge : addBall;
      return add(world, joint, bodies[joint.parent], bodies[joint.child], plus(joint.at, at));
    });
    addKeeper(world, ground, bodies[0], plus(middle(figure.bodies[0]), at));
    return { bodies, joints };
  });
  world.system.OptimizeBroadPhase();
  return { ...world, figures, target: new Jolt.Quat(0, 0, 0, 1) };
}

function aim(world, seconds) {
  const half = bow(seconds) / 2;
  // Twist is about Y and the plane's normal about Z: the constraint's X is Y, so the bow about X is told in its frame.
  world.target.Set(Math.sin(half), 0, 0, Math.cos(half));
  for (const { joints } of world.figures) joints[figure.bow.joint].SetTargetOrientationBS(world.target);
}

const times = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
  aw * bw - ax * bx - ay * by - az * bz,
];

/** Mean angle between where the joints of a figure are and where they shall be (rad). */
function gap({ bodies }, seconds) {
  const turns = bodies.map(body => {
    const turn = body.GetRotation();
    return [turn.GetX(), turn.GetY(), turn.GetZ(), turn.GetW()];
  });
  const gaps = figure.joints.map((joint, index) => {
    const [x, y, z, w] = turns[joint.parent];
    let found = times([-x, -y, -z, w], turns[joint.child]);
    const half = index === figure.bow.joint ? bow(seconds) / 2 : 0;
    found = times([-Math.sin(half), 0, 0, Math.cos(half)], found);
    return 2 * Math.atan2(Math.hypot(found[0], found[1], found[2]), Math.abs(found[3]));
  });
  return gaps.reduce((sum, each) => sum + each) / gaps.length;
}

function measure(setting, count, repeats) {
  const world = makeWorld(count, setting);
  const secondsAt = step => step / figure.step_hz;
  let done = 0;
  const step = () => {
    aim(world, secondsAt(done));
    world.jolt.Step(1 / figure.step_hz, setting.steps);
    done++;
  };
  // The clock of the CPU is too coarse for one step: a repeat is timed as one, with its few calls that aim.
  const walk = steps => {
    const start = process.cpuUsage();
    for (let each = 0; each < steps; each++) step();
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  walk(BOW_STEPS);
  const steps = BOW_STEPS * Math.max(Math.floor(BOWS / count), 1);
  const each = Array.from({ length: repeats }, () => walk(steps) / (steps * count)).sort((a, b) => a - b);
  let lowest = Infinity, sum = 0;
  for (let left = BOW_STEPS; left > 0; left--) {
    step();
    for (const made of world.figures) {
      lowest = Math.min(lowest, made.bodies[0].GetPosition().GetY());
      sum += gap(made, secondsAt(done - 1));
    }
  }
  const off = sum / BOW_STEPS / count * 180 / Math.PI;
  const name = `${setting.steps} × ${setting.velocity} + ${setting.position} iterations`;
  const median = each[each.length >> 1];
  console.log(["Jolt (wasm)", name, version, count, each[0].toFixed(2), median.toFixed(2), lowest.toFixed(3), off.toFixed(2)].join("\t"));
  Jolt.destroy(world.jolt);
}

const counts = option("counts", "1,32").split(",").map(Number);
for (const [steps, velocity, position] of [[1, 10, 2], [4, 4, 2], [8, 2, 1]]) {
  for (const count of counts) measure({ steps, velocity, position }, count, Number(option("repeats", 5)));
}
