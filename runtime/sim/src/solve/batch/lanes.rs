//! Several figures side by side: one number of each in one register.
//!
//! The only `unsafe` of this crate, and all of it is of two kinds: intrinsics of an instruction set, which are sound where the processor
//! has it (SSE2 belongs to every x86-64; AVX2 is asked for by [`Width::best`] before a kernel of it is entered), and a register
//! seen as the array of numbers that it is.
//!
//! Every width comes to the same bits: only `+ − × ÷ √`, comparisons and selections by bits, none fused, none approximate. `least` and
//! `most` give their *second* argument where one is not a number, as the hardware does.

#![allow(unsafe_code, reason = "intrinsics; see above")]

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// What is done to figures side by side.
pub trait Work<V: Lane> {
    /// Does it. Everything in it is inlined into the entry, so that it is compiled for the width's instruction set; closures are not.
    fn work(&mut self);
}

/// One number of each of [`Lane::COUNT`] figures. A *mask* has all bits of a lane set, or none.
pub trait Lane:
    Copy
    + Debug
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    /// How many figures stand side by side.
    const COUNT: usize;
    /// The same number in every lane.
    fn splat(value: f32) -> Self;
    /// One lane's number.
    fn get(&self, lane: usize) -> f32;
    /// Changes one lane's number.
    fn set(&mut self, lane: usize, value: f32);
    /// Square root.
    fn sqrt(self) -> Self;
    /// `self < other ? self : other`.
    fn least(self, other: Self) -> Self;
    /// `self > other ? self : other`.
    fn most(self, other: Self) -> Self;
    /// Mask of `self < other`.
    fn below(self, other: Self) -> Self;
    /// Both masks.
    fn and(self, other: Self) -> Self;
    /// Either mask.
    fn or(self, other: Self) -> Self;
    /// `then` where the mask is set, else `other`.
    fn select(mask: Self, then: Self, other: Self) -> Self;
    /// Whether any lane of a mask is set.
    fn any(self) -> bool;

    /// Does the work, compiled for this width's instruction set.
    ///
    /// # Panics
    /// Where the processor does not have it.
    fn enter(work: &mut impl Work<Self>) {
        work.work();
    }
    /// Zeros.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }
    /// Without its sign.
    #[inline(always)]
    fn abs(self) -> Self {
        self.most(-self)
    }
    /// Between two bounds.
    #[inline(always)]
    fn within(self, low: Self, high: Self) -> Self {
        self.most(low).least(high)
    }
    /// A mask's lane.
    #[inline(always)]
    fn set_mask(&mut self, lane: usize, on: bool) {
        self.set(lane, f32::from_bits(if on { u32::MAX } else { 0 }));
    }
    /// Zero where the mask is not set.
    #[inline(always)]
    fn where_set(self, mask: Self) -> Self {
        Self::select(mask, self, Self::zero())
    }
}

/// One figure: the reference, and what processors without SSE2 run.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Scalar(f32);

macro_rules! scalar_operators {
    ($($operator:ident $call:ident),*) => {$(
        impl $operator for Scalar {
            type Output = Self;
            #[inline(always)]
            fn $call(self, other: Self) -> Self {
                Self(self.0.$call(other.0))
            }
        }
    )*};
}
scalar_operators!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Scalar {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

fn mask_of(on: bool) -> Scalar {
    Scalar(f32::from_bits(if on { u32::MAX } else { 0 }))
}

impl Lane for Scalar {
    const COUNT: usize = 1;
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(value)
    }
    #[inline(always)]
    fn get(&self, _lane: usize) -> f32 {
        self.0
    }
    #[inline(always)]
    fn set(&mut self, _lane: usize, value: f32) {
        self.0 = value;
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    #[inline(always)]
    fn least(self, other: Self) -> Self {
        if self.0 < other.0 { self } else { other }
    }
    #[inline(always)]
    fn most(self, other: Self) -> Self {
        if self.0 > other.0 { self } else { other }
    }
    #[inline(always)]
    fn below(self, other: Self) -> Self {
        mask_of(self.0 < other.0)
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(f32::from_bits(self.0.to_bits() & other.0.to_bits()))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(f32::from_bits(self.0.to_bits() | other.0.to_bits()))
    }
    #[inline(always)]
    fn select(mask: Self, then: Self, other: Self) -> Self {
        if mask.0.to_bits() != 0 { then } else { other }
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0.to_bits() != 0
    }
}

/// A register type and its intrinsics as a [`Lane`].
#[cfg(target_arch = "x86_64")]
macro_rules! register {
    (
        $(#[$about:meta])* $name:ident($register:ident); $count:literal,
        splat $splat:ident, add $add:ident, sub $sub:ident, mul $mul:ident, div $div:ident, xor $xor:ident,
        sqrt $sqrt:ident, min $min:ident, max $max:ident, and $and:ident, or $or:ident, sign $sign:ident,
        below |$a:ident, $b:ident| $below:expr, select |$mask:ident, $then:ident, $other:ident| $select:expr $(, enter $enter:item)?
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        pub struct $name($register);

        register!(@operators $name, Add add $add, Sub sub $sub, Mul mul $mul, Div div $div);

        impl Neg for $name {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                // SAFETY: the instruction set is there; see the module.
                unsafe { Self($xor(self.0, $splat(-0.0))) }
            }
        }

        impl Lane for $name {
            const COUNT: usize = $count;
            #[inline(always)]
            fn splat(value: f32) -> Self {
                // SAFETY: as above, and so below.
                unsafe { Self($splat(value)) }
            }
            #[inline(always)]
            fn get(&self, lane: usize) -> f32 {
                // SAFETY: a register is as many numbers, in order, with no bits that are not theirs.
                let numbers: &[f32; $count] = unsafe { &*std::ptr::from_ref(&self.0).cast() };
                numbers[lane]
            }
            #[inline(always)]
            fn set(&mut self, lane: usize, value: f32) {
                // SAFETY: as above.
                let numbers: &mut [f32; $count] = unsafe { &mut *std::ptr::from_mut(&mut self.0).cast() };
                numbers[lane] = value;
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                unsafe { Self($sqrt(self.0)) }
            }
            #[inline(always)]
            fn least(self, other: Self) -> Self {
                unsafe { Self($min(self.0, other.0)) }
            }
            #[inline(always)]
            fn most(self, other: Self) -> Self {
                unsafe { Self($max(self.0, other.0)) }
            }
            #[inline(always)]
            fn below(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                unsafe { Self($below) }
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                unsafe { Self($and(self.0, other.0)) }
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                unsafe { Self($or(self.0, other.0)) }
            }
            #[inline(always)]
            fn select(mask: Self, then: Self, other: Self) -> Self {
                let ($mask, $then, $other) = (mask.0, then.0, other.0);
                unsafe { Self($select) }
            }
            #[inline(always)]
            fn any(self) -> bool {
                unsafe { $sign(self.0) != 0 }
            }
            $($enter)?
        }
    };
    (@operators $name:ident, $($operator:ident $call:ident $intrinsic:ident),*) => {$(
        impl $operator for $name {
            type Output = Self;
            #[inline(always)]
            fn $call(self, other: Self) -> Self {
                // SAFETY: the instruction set is there; see the module.
                unsafe { Self($intrinsic(self.0, other.0)) }
            }
        }
    )*};
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Add, Debug, Div, Lane, Mul, Neg, Sub, Work};
    use std::arch::x86_64::*;

    register! {
        /// Four figures in an SSE2 register.
        Sse2(__m128); 4,
        splat _mm_set1_ps, add _mm_add_ps, sub _mm_sub_ps, mul _mm_mul_ps, div _mm_div_ps, xor _mm_xor_ps,
        sqrt _mm_sqrt_ps, min _mm_min_ps, max _mm_max_ps, and _mm_and_ps, or _mm_or_ps, sign _mm_movemask_ps,
        below |a, b| _mm_cmplt_ps(a, b),
        select |mask, then, other| _mm_or_ps(_mm_and_ps(mask, then), _mm_andnot_ps(mask, other))
    }

    register! {
        /// Eight figures in an AVX register.
        Avx2(__m256); 8,
        splat _mm256_set1_ps, add _mm256_add_ps, sub _mm256_sub_ps, mul _mm256_mul_ps, div _mm256_div_ps, xor _mm256_xor_ps,
        sqrt _mm256_sqrt_ps, min _mm256_min_ps, max _mm256_max_ps, and _mm256_and_ps, or _mm256_or_ps, sign _mm256_movemask_ps,
        below |a, b| _mm256_cmp_ps::<_CMP_LT_OS>(a, b),
        select |mask, then, other| _mm256_blendv_ps(other, then, mask),
        enter fn enter(work: &mut impl Work<Self>) {
            #[target_feature(enable = "avx2")]
            fn wide(work: &mut impl Work<Avx2>) {
                work.work();
            }
            assert!(std::arch::is_x86_feature_detected!("avx2"), "figures eight by eight need AVX2");
            // SAFETY: asked for in the line above.
            unsafe { wide(work) }
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Sse2};

/// How many figures a kernel takes side by side; results never depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// One.
    Scalar,
    /// Four, on every x86-64.
    #[cfg(target_arch = "x86_64")]
    Sse2,
    /// Eight, where the processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Width {
    /// Those that this processor has, the narrowest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let mut widths = vec![Self::Scalar];
        #[cfg(target_arch = "x86_64")]
        {
            widths.push(Self::Sse2);
            if std::arch::is_x86_feature_detected!("avx2") {
                widths.push(Self::Avx2);
            }
        }
        widths
    }

    /// The widest that this processor has.
    #[must_use]
    pub fn best() -> Self {
        Self::available().last().copied().unwrap_or(Self::Scalar)
    }

    /// For tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Self::Sse2 => "SSE2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "AVX2",
        }
    }
}
