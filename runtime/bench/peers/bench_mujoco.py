"""MuJoCo: the figure as one tree in generalised coordinates, driven by its position servos."""


import mujoco
import numpy

from figure import BODIES, FIGURE, JOINTS, STEP_SECS, bow, measure, middle, options, place

# A servo closes its gap in `close_secs` as the other engines' motors do; it is at its limit where its speed is this far off (rad/s).
SOFTNESS = 1.0


def text(values):
    return " ".join(f"{value:.6g}" for value in values)


def servo(joint, axis, torque):
    """A position servo about an axis of a joint."""
    damping = torque / SOFTNESS
    stiffness = damping / FIGURE["close_secs"]
    return (
        f'<position joint="{joint}" gear="{text(axis)}" kp="{stiffness}" kv="{damping}"'
        f' forcerange="{-torque} {torque}"/>'
    )


def body(index, prefix, parent_middle, at):
    """A body with what hangs on it, and the servos of all of them."""
    told = BODIES[index]
    own = middle(told)
    offset = [a - b for a, b in zip(own, parent_middle)]
    inner, servos = "", []
    joint = next((joint for joint in JOINTS if joint["child"] == index), None)
    name = f"{prefix}{told['name']}"
    if joint is None:
        # The pelvis: free, but with a ball that a keeper can turn. It keeps X and Z level and leaves Y free.
        offset = [a + b for a, b in zip(own, at)]
        for axis in ("1 0 0", "0 1 0", "0 0 1"):
            inner += f'<joint type="slide" axis="{axis}"/>'
        inner += f'<joint name="{name}" type="ball"/>'
        servos += [servo(name, axis, FIGURE["upright_torque"]) for axis in ([1, 0, 0], [0, 0, 1])]
    else:
        anchor = text(a - b for a, b in zip(joint["at"], own))
        if joint["hinge"]:
            limits = f'range="{joint["low"]} {joint["high"]}"'
            inner += f'<joint name="{name}" type="hinge" pos="{anchor}" axis="{text(joint["hinge"])}" {limits}/>'
            servos.append(servo(name, [1], joint["torque"]))
        else:
            inner += f'<joint name="{name}" type="ball" pos="{anchor}" range="0 {joint["high"]}"/>'
            servos += [servo(name, axis, joint["torque"]) for axis in ([1, 0, 0], [0, 1, 0], [0, 0, 1])]
    ends = [a - b for end in ("from", "to") for a, b in zip(told[end], own)]
    inner += f'<geom type="capsule" fromto="{text(ends)}" size="{told["radius"]}" mass="{told["mass"]}"/>'
    for child in (joint["child"] for joint in JOINTS if joint["parent"] == index):
        more, more_servos = body(child, prefix, own, at)
        inner += more
        servos += more_servos
    return f'<body name="{name}" pos="{text(offset)}">{inner}</body>', servos


def world(count, substeps):
    bodies, servos = "", []
    for index in range(count):
        made, driven = body(0, f"{index}_", [0, 0, 0], place(index, count))
        bodies += made
        servos += driven
    return mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <compiler angle="radian" autolimits="true"/>
  <option timestep="{STEP_SECS / substeps}" integrator="implicitfast" gravity="0 -9.81 0"/>
  <size memory="512M"/>
  <default><geom friction="{FIGURE["friction"]} 0.005 0.0001" contype="1" conaffinity="2"/></default>
  <worldbody>
    <geom type="plane" size="200 200 1" zaxis="0 1 0" contype="2" conaffinity="1"/>
    {bodies}
  </worldbody>
  <actuator>{"".join(servos)}</actuator>
</mujoco>""")


def make(count, substeps):
    model = world(count, substeps)
    data = mujoco.MjData(model)
    bowing = BODIES[JOINTS[FIGURE["bow"]["joint"]]["child"]]["name"]
    joints = [model.joint(f"{index}_{bowing}").id for index in range(count)]
    # The first of a ball's three servos is the one about X.
    bows = numpy.array([numpy.flatnonzero(model.actuator_trnid[:, 0] == joint)[0] for joint in joints])
    rows = [[model.body(f"{index}_{told['name']}").id for told in BODIES] for index in range(count)]

    def aim(seconds):
        data.ctrl[bows] = bow(seconds)

    def step():
        mujoco.mj_step(model, data, nstep=substeps)

    def quality():
        turns = [[(x, y, z, w) for w, x, y, z in data.xquat[row]] for row in rows]
        return [data.xpos[row[0]][1] for row in rows], turns

    return aim, step, quality


asked = options()
for substeps in (4, 8):
    measure("MuJoCo", f"{substeps} sub-steps", mujoco.__version__, lambda count: make(count, substeps), asked)
