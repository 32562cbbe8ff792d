#pragma once

/// All laws, in one explicit list. Adding a law: its header, its include and its name here.

#include "bristle/friction/armstrong.hpp"
#include "bristle/friction/bristle_bonds.hpp"
#include "bristle/friction/brown_mcphee.hpp"
#include "bristle/friction/chaturvedi.hpp"
#include "bristle/friction/classical.hpp"
#include "bristle/friction/coulomb.hpp"
#include "bristle/friction/coulomb_regularised.hpp"
#include "bristle/friction/coulomb_viscous.hpp"
#include "bristle/friction/dahl.hpp"
#include "bristle/friction/elasto_plastic.hpp"
#include "bristle/friction/gonthier.hpp"
#include "bristle/friction/karnopp.hpp"
#include "bristle/friction/kudra.hpp"
#include "bristle/friction/lugre.hpp"
#include "bristle/friction/lugre_damped.hpp"
#include "bristle/friction/mdsf_augmented.hpp"
#include "bristle/friction/mdsf_bristle.hpp"
#include "bristle/friction/reset_integrator.hpp"
#include "bristle/friction/stiction.hpp"
#include "bristle/friction/stribeck.hpp"
#include "bristle/friction/tabulated.hpp"
#include "bristle/friction/wang_rui.hpp"

namespace bristle {

template <template <class> class... Law>
struct LawList {};

using Laws = LawList<Coulomb,             //
                     CoulombViscous,      //
                     Stiction,            //
                     Stribeck,            //
                     Tabulated,           //
                     CoulombRegularised,  //
                     Classical,           //
                     BrownMcPhee,         //
                     WangRui,             //
                     Chaturvedi,          //
                     Kudra,               //
                     Karnopp,             //
                     Armstrong,           //
                     BristleBonds,        //
                     ResetIntegrator,     //
                     MdsfBristle,         //
                     MdsfAugmented,       //
                     Dahl,                //
                     LuGre,               //
                     LuGreDamped,         //
                     ElastoPlastic,       //
                     Gonthier>;

}  // namespace bristle
