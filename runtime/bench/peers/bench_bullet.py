"""PyBullet: the figure as one multibody (Featherstone), driven by its position motors."""

import importlib.metadata
import math
import os
import tempfile

import pybullet

from figure import BODIES, FIGURE, JOINTS, STEP_SECS, bow, is_upright, length, measure, middle, options, place

# Links of next to no mass carry the pelvis: three slides, so that a ball motor can be its keeper.
SLIDES = ["slide_x", "slide_y", "slide_z"]
LIMIT = "lower='-100' upper='100' effort='0' velocity='100'"


def text(values):
    return " ".join(f"{value:.6g}" for value in values)


def link(told):
    """A capsule whose frame is its middle; Bullet computes the inertia from the shape."""
    rpy = f"{math.pi / 2} 0 0" if is_upright(told) else f"0 {math.pi / 2} 0"
    shape = f"<geometry><capsule radius='{told['radius']}' length='{length(told)}'/></geometry>"
    return f"""<link name='{told["name"]}'>
  <inertial><mass value='{told["mass"]}'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>
  <collision><origin rpy='{rpy}' xyz='0 0 0'/>{shape}</collision>
</link>"""


def urdf():
    """The figure. A link's frame is where its joint is, but for the pelvis: bodies hang off by their middles."""
    light = "<inertial><mass value='0.001'/><inertia ixx='1e-6' ixy='0' ixz='0' iyy='1e-6' iyz='0' izz='1e-6'/></inertial>"
    out = ["<robot name='figure'>", "<link name='place'><inertial><mass value='0'/><inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial></link>"]
    parent = "place"
    for slide, axis in zip(SLIDES, ("1 0 0", "0 1 0", "0 0 1")):
        out.append(f"<link name='{slide}'>{light}</link>")
        out.append(
            f"<joint name='{slide}' type='prismatic'><parent link='{parent}'/><child link='{slide}'/>"
            f"<origin xyz='0 0 0'/><axis xyz='{axis}'/><limit {LIMIT}/></joint>"
        )
        parent = slide
    frames = {0: middle(BODIES[0])}
    out.append(link(BODIES[0]))
    out.append(
        f"<joint name='pelvis' type='spherical'><parent link='{parent}'/><child link='pelvis'/>"
        f"<origin xyz='{text(frames[0])}'/><axis xyz='1 0 0'/></joint>"
    )
    for joint in JOINTS:
        told, at = BODIES[joint["child"]], joint["at"]
        own = [a - b for a, b in zip(middle(told), at)]
        # The capsule's middle, seen from the joint.
        out.append(link(told).replace("<inertial>", f"<inertial><origin xyz='{text(own)}'/>").replace("xyz='0 0 0'", f"xyz='{text(own)}'"))
        kind = "revolute" if joint["hinge"] else "spherical"
        axis = f"<axis xyz='{text(joint['hinge'] or [1, 0, 0])}'/>"
        limit = f"<limit lower='{joint['low']}' upper='{joint['high']}' effort='{joint['torque']}' velocity='100'/>"
        offset = [a - b for a, b in zip(at, frames[joint["parent"]])]
        out.append(
            f"<joint name='{told['name']}' type='{kind}'><parent link='{BODIES[joint['parent']]['name']}'/>"
            f"<child link='{told['name']}'/><origin xyz='{text(offset)}'/>{axis}{limit if joint['hinge'] else ''}</joint>"
        )
        frames[joint["child"]] = at
    return "\n".join([*out, "</robot>"])


def make(count, substeps):
    pybullet.resetSimulation()
    pybullet.setGravity(0, -9.81, 0)
    pybullet.setPhysicsEngineParameter(fixedTimeStep=STEP_SECS / substeps, numSubSteps=0, numSolverIterations=10)
    level = pybullet.createCollisionShape(pybullet.GEOM_PLANE, planeNormal=[0, 1, 0])
    ground = pybullet.createMultiBody(0, level)
    pybullet.changeDynamics(ground, -1, lateralFriction=FIGURE["friction"])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "figure.urdf")
        with open(path, "w") as file:
            file.write(urdf())
        flags = pybullet.URDF_MAINTAIN_LINK_ORDER
        figures = [
            pybullet.loadURDF(path, place(index, count), useFixedBase=True, flags=flags) for index in range(count)
        ]
    index_of = {pybullet.getJointInfo(figures[0], joint)[12].decode(): joint for joint in range(pybullet.getNumJoints(figures[0]))}
    links = [index_of[told["name"]] for told in BODIES]
    for figure in figures:
        for joint in links:
            pybullet.setCollisionFilterGroupMask(figure, joint, 2, 1)
            pybullet.changeDynamics(
                figure, joint, lateralFriction=FIGURE["friction"], linearDamping=0, angularDamping=0, jointDamping=0
            )
        for slide in SLIDES:
            pybullet.setJointMotorControl2(figure, index_of[slide], pybullet.VELOCITY_CONTROL, force=0)
        pybullet.changeDynamics(figure, -1, activationState=pybullet.ACTIVATION_STATE_DISABLE_SLEEPING)
    pybullet.setCollisionFilterGroupMask(ground, -1, 1, 2)
    balls = [index for index, joint in enumerate(JOINTS) if not joint["hinge"]]
    hinges = [index for index, joint in enumerate(JOINTS) if joint["hinge"]]
    # A motor's gain is the share of its gap that it closes in a sub-step.
    gain = STEP_SECS / substeps / FIGURE["close_secs"]
    keeper = [[FIGURE["upright_torque"], 0, FIGURE["upright_torque"]]]

    def aim(seconds):
        half = bow(seconds) / 2
        level, bowed = [0, 0, 0, 1], [math.sin(half), 0, 0, math.cos(half)]
        targets = [level] + [bowed if index == FIGURE["bow"]["joint"] else level for index in balls]
        for figure in figures:
            pybullet.setJointMotorControlMultiDofArray(
                figure,
                [links[0]] + [links[JOINTS[index]["child"]] for index in balls],
                pybullet.POSITION_CONTROL,
                targetPositions=targets,
                targetVelocities=[[0, 0, 0]] * len(targets),
                positionGains=[gain] * len(targets),
                velocityGains=[1] * len(targets),
                forces=keeper + [[JOINTS[index]["torque"]] * 3 for index in balls],
            )
            pybullet.setJointMotorControlArray(
                figure,
                [links[JOINTS[index]["child"]] for index in hinges],
                pybullet.POSITION_CONTROL,
                targetPositions=[0] * len(hinges),
                positionGains=[gain] * len(hinges),
                velocityGains=[1] * len(hinges),
                forces=[JOINTS[index]["torque"] for index in hinges],
            )

    def step():
        for _ in range(substeps):
            pybullet.stepSimulation()

    def quality():
        states = [pybullet.getLinkStates(figure, links, computeForwardKinematics=True) for figure in figures]
        return [figure[0][4][1] for figure in states], [[state[5] for state in figure] for figure in states]

    return aim, step, quality


asked = options()
pybullet.connect(pybullet.DIRECT)
version = importlib.metadata.version("pybullet")
for substeps in (4, 8):
    measure("PyBullet", f"{substeps} steps", version, lambda count: make(count, substeps), asked)
