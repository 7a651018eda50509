//! rapier3d behind the boundary.
